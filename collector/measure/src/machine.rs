//! Where the measurements were made.

use std::fs::read_to_string;

/// Prints processor, transactions, load and repetitions.
pub(crate) fn print(n_repetitions: usize) {
    let cpuinfo = read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = cpuinfo.lines().find(|line| line.starts_with(name)).unwrap_or("");
        line.split(": ").nth(1).unwrap_or("unknown").to_string()
    };
    let is_virtual = cpuinfo.contains(" hypervisor");
    let n_processors = std::thread::available_parallelism().map_or(1, usize::from);
    println!(
        "processor     {}, {n_processors} seen{}",
        field("model name"),
        if is_virtual { ", virtual machine" } else { "" }
    );
    println!("CPUID         {}", htm::Features::read());
    match htm::Rtm::detect() {
        Ok(_) => println!("transactions  a trial committed"),
        Err(missing) => println!("transactions  none: {missing}"),
    }
    let load = read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load          {}", load.split(' ').next().unwrap_or("unknown"));
    println!("repetitions   {n_repetitions}, interleaved; medians [quartiles]");
}
