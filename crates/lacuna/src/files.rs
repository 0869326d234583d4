//! Files read and written. Only regular files are read. A file that is written is the old one until it is the new one: it is written beside
//! and renamed.

use crate::exit::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// More bytes than this are no protocol, and have no spans.
const MAX_BYTES: u64 = 1 << 30;

/// Files that will be written: none of them is read.
static CLAIMED: Mutex<Vec<Identity>> = Mutex::new(Vec::new());

/// Held while a file is written beside: the program does not end meanwhile.
static WRITING: Mutex<()> = Mutex::new(());

/// What tells a file from others, whatever its names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity(u64, u64);

/// The text of a regular file that is not to be written.
pub(crate) fn read(path: &Path) -> io::Result<String> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is too large"));
    }
    if is_claimed(path) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it would be overwritten by an output of this command",
        ));
    }
    fs::read_to_string(path)
}

/// Whether a file will be written by this command.
pub(crate) fn is_claimed(path: &Path) -> bool {
    let claimed = CLAIMED.lock().unwrap_or_else(PoisonError::into_inner);
    fs::metadata(path).ok().and_then(|metadata| identity(&metadata)).is_some_and(|identity| claimed.contains(&identity))
}

/// Tries whether files can be written, before anything else is done. From then on, none of them is read.
pub(crate) fn claim(outputs: &[(&str, &str)]) -> Result<(), Error> {
    let mut places: Vec<(&str, PathBuf)> = Vec::new();
    for (option, path) in outputs.iter().filter(|(_, path)| *path != "-") {
        let place = target(Path::new(path));
        try_out(&place).map_err(|e| cannot_write(path, &e))?;
        let place = whole(&place);
        if let Some((other, _)) = places.iter().find(|(_, other)| is_same(other, &place)) {
            let message = format!("{other} and {option} cannot both write to `{path}`");
            return Err(Error::input(message).hint("name two files"));
        }
        let identity = fs::metadata(&place).ok().filter(fs::Metadata::is_file).and_then(|m| identity(&m));
        CLAIMED.lock().unwrap_or_else(PoisonError::into_inner).extend(identity);
        places.push((option, place));
    }
    Ok(())
}

/// As `claim`, for files of a folder that may still have to be made.
pub(crate) fn claim_in(option: &str, folder: &Path, names: &[&str]) -> Result<(), Error> {
    let mut there = folder;
    while fs::symlink_metadata(there).is_err() {
        there = there.parent().filter(|above| *above != Path::new("")).unwrap_or(Path::new("."));
    }
    if there == folder {
        let paths: Vec<String> = names.iter().map(|name| folder.join(name).display().to_string()).collect();
        return claim(&paths.iter().map(|path| (option, path.as_str())).collect::<Vec<_>>());
    }
    try_beside(&there.join("new")).map_err(|e| cannot_write(&folder.display().to_string(), &e))
}

/// Writes files to a folder, which is made if it is not there; whether each is a script is said beside it.
pub(crate) fn write_in(folder: &Path, files: &[(&str, &str, bool)]) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(|e| cannot_write(&folder.display().to_string(), &e))?;
    for (name, text, is_script) in files {
        let path = folder.join(name);
        write(&path, text)?;
        if *is_script {
            make_executable(&path).map_err(|e| cannot_write(&path.display().to_string(), &e))?;
        }
    }
    Ok(())
}

/// The path with its folder spelt out.
fn whole(place: &Path) -> PathBuf {
    let folder = place.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    folder.join(place.file_name().unwrap_or_default())
}

fn is_same(one: &Path, two: &Path) -> bool {
    let of = |path: &Path| fs::metadata(path).ok().filter(fs::Metadata::is_file).and_then(|m| identity(&m));
    one == two && fs::metadata(one).map_or(true, |m| m.is_file()) || of(one).is_some() && of(one) == of(two)
}

/// Whether a file could be written to `place`.
fn try_out(place: &Path) -> io::Result<()> {
    match fs::metadata(place) {
        Ok(metadata) if metadata.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")),
        Ok(metadata) if !metadata.is_file() => Ok(()),
        Ok(_) => OpenOptions::new().write(true).open(place).and_then(|_| try_beside(place)),
        Err(_) => try_beside(place),
    }
}

fn try_beside(place: &Path) -> io::Result<()> {
    let beside = beside(place);
    let made = File::create_new(&beside);
    let _ = fs::remove_file(&beside);
    made.map(|_| ())
}

/// Writes a file by what `write` puts into it: all of it, or nothing. It may find that there is nothing to write.
pub(crate) fn write_with(path: &Path, write: impl FnOnce(File) -> io::Result<bool>) -> io::Result<bool> {
    let place = target(path);
    if is_device(&place) {
        return OpenOptions::new().write(true).open(&place).and_then(write);
    }
    let beside = beside(&place);
    let written = File::create_new(&beside).and_then(write);
    let _writing = lock();
    let done = written.and_then(|is_written| match is_written {
        true => put(&beside, &place).map(|()| true),
        false => Ok(false),
    });
    if !matches!(done, Ok(true)) {
        let _ = fs::remove_file(&beside);
    }
    done
}

/// Writes `text` to `path`: all of it, or nothing.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Error> {
    let _writing = lock();
    let place = target(path);
    let written = if is_device(&place) { fs::write(&place, text) } else { replace(&place, text) };
    written.map_err(|e| cannot_write(&path.display().to_string(), &e))
}

/// Waits until no file is half written, and lets none be begun.
pub(crate) fn lock() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn replace(place: &Path, text: &str) -> io::Result<()> {
    let beside = beside(place);
    let written = File::create_new(&beside).and_then(|mut file| file.write_all(text.as_bytes()));
    let written = written.and_then(|()| put(&beside, place));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Renames a file that was written beside; who may read and write it stays.
fn put(beside: &Path, place: &Path) -> io::Result<()> {
    File::open(beside)?.sync_all()?;
    if let Ok(old) = fs::metadata(place) {
        fs::set_permissions(beside, old.permissions())?;
    }
    fs::rename(beside, place)
}

/// A device has no content to lose, and is not to be replaced by a file.
fn is_device(place: &Path) -> bool {
    fs::metadata(place).is_ok_and(|metadata| !metadata.is_file())
}

/// A name in the same folder that nobody else has.
fn beside(place: &Path) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let short: String = name.chars().take(100).collect();
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    place.with_file_name(format!(".{short}.{}-{number}.new", std::process::id()))
}

/// The file that a path leads to through links: the link stays, the file is replaced.
fn target(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(to) => path = path.parent().unwrap_or(Path::new("")).join(to),
            Err(_) => break,
        }
    }
    path
}

fn cannot_write(path: &str, error: &io::Error) -> Error {
    Error::input(format!("cannot write `{path}`: {error}"))
        .hint("name a file in a folder that is there and can be written to")
}

/// A file that cannot be read, and what it should have been.
pub(crate) fn cannot_read(path: &Path, error: &io::Error, wanted: &str) -> Error {
    let hint = if is_claimed(path) { "name another output".into() } else { format!("give the path of {wanted}") };
    Error::input(format!("cannot read `{}`: {error}", path.display())).hint(hint)
}

#[cfg(unix)]
fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(path)?.permissions().mode();
    fs::set_permissions(path, fs::Permissions::from_mode(mode | 0o111))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
pub(crate) fn identity(metadata: &fs::Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some(Identity(metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
pub(crate) fn identity(_: &fs::Metadata) -> Option<Identity> {
    None
}
