//! Tests in herd's format: each file of `litmus/herd` says what it expects, and what is not read is an error with its line.

use std::path::Path;

#[test]
fn every_file_gets_the_answers_it_expects() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../litmus/herd");
    let files = std::fs::read_dir(folder).expect("the folder is there").flatten().map(|entry| entry.path());
    let mut n_answers = 0;
    for path in files.filter(|path| path.extension().is_some_and(|ending| ending == "litmus")) {
        let text = std::fs::read_to_string(&path).expect("the file reads");
        let test = litmus::herd::read(&text).unwrap_or_else(|wrong| panic!("{}: {wrong:?}", path.display()));
        let expected = text.split("(* expect").nth(1).and_then(|rest| rest.split("*)").next()).expect("it says");
        for row in expected.split(';') {
            let (memory, word) = row.split_once(':').expect("`memory: word`");
            let memory = memory::builtin::find(memory.trim()).expect("built in");
            let found = litmus::run(&test, &memory).expect("runs");
            let answer = if found.race {
                "race"
            } else if found.allowed {
                "allowed"
            } else {
                "forbidden"
            };
            assert_eq!(answer, word.trim(), "{} under {}", path.display(), memory.name);
            n_answers += 1;
        }
    }
    assert!(n_answers >= 20, "{n_answers}");
}

#[test]
fn what_is_not_read_is_told_with_its_line() {
    let wrong = |text: &str| litmus::herd::read(text).expect_err("wrong");
    let arm = |code: &str, end: &str| format!("AArch64 T\n{{ 0:X1=x; }}\n P0 ;\n {code} ;\n{end}\n");
    let says = |text: String, line: usize, words: &str| {
        let (at, message) = wrong(&text);
        assert!(at == line && message.contains(words), "{at}: {message}");
    };
    says(arm("ISB", "exists (x=0)"), 4, "`ISB` is not read");
    says(arm("LDR W0,[X2]", "exists (x=0)"), 4, "is not that of a cell");
    says(arm("LDR W0,[X1]", "exists (x=0 \\/ 0:X0=1)"), 5, "only a conjunction");
    says(arm("LDR W0,[X1]", "forall (x=0)"), 5, "`forall` is not read");
    says(arm("CBNZ W0,L", "exists (x=0)"), 4, "nothing that was loaded");
    says(
        arm("LDR W0,[X1] ;\n EOR W2,W0,W0 ;\n CBNZ W2,L ;\n STR W0,[X1] ;\n L:", "exists (x=0)"),
        6,
        "no loaded value plus",
    );
    says(arm("LDADDA W0,WZR,[X1]", "exists (x=0)"), 4, "into `WZR` is not read");
    says(arm("LDR W0,[X1]", ""), 1, "no question");
    says(arm("LDR W0,[X1]", "exists (3:X0=0)"), 5, "a thread that the test does not have");
    says("PPC T\n{}\n P0 ;\n sync ;\nexists (x=0)\n".into(), 1, "only C, AArch64 and X86_64");
    says(
        "C T\n{ x=0; }\nP0 (int* x) {\n  int r0 = atomic_magic(x);\n}\nexists (0:r0=0)\n".into(),
        4,
        "`atomic_magic` is not read",
    );
    let c = |code: &str| format!("C T\n{{ x=0; }}\nP0 (atomic_int* x) {{\n  {code}\n}}\nexists (x=0)\n");
    says(c("while (x) { }"), 4, "`while` is not read");
    says(c("int r0 = atomic_load(x);").replace("(x=0)\n", "(0:r1=0)\n"), 6, "nothing sets `0:r1`");
    says(c("int r0 = atomic_load(x); if (r0 == 1) { } else { }"), 4, "`else` is not read");
    says(c("int r0 = atomic_load(x); int r1 = r0 ^ r0; if (r1 == 0) { }"), 4, "no loaded value plus");
    let x86 = |code: &str| format!("X86_64 T\n{{ 0:RBX=x; }}\n P0 ;\n {code} ;\nexists (x=0)\n");
    says(x86("xaddl %eax,(%rbx)"), 4, "no single step without LOCK");
    says(x86("movl $1,8(%rbx)"), 4, "is not read");
    says(x86("movl $1,(%rcx)"), 4, "not that of a cell");
    says(x86("movl x,%eax"), 4, "neither a number nor a register");
    says(x86("movl %rbx,(%rbx)"), 4, "an address cannot be stored");
    // What a part of could be taken for the whole.
    let load = |end: &str| arm("LDR W0,[X1]", end);
    says(load("exists (x=0 (* /\\ 0:X0=1)"), 5, "a comment `(*` is not closed");
    says(load("exists (x=0) \" (0:X0=1)"), 5, "a string is not closed");
    says(load("exists (x=0 /\\ 0:X0=0"), 5, "parentheses do not match");
    says(load("exists x=0) /\\ (0:X0=0"), 5, "parentheses do not match");
    says(load("exists (x=0 /\\ )"), 5, "is not `variable=number`");
    says(load("exists ()"), 5, "is not `variable=number`");
    says(load("locations [x;]\nx=0"), 6, "`x=0` is not read");
    // What is not there is not 0.
    says(load("exists (0:X31=0)"), 5, "`X31` is no register");
    says(load("exists (0:RAX=0)"), 5, "`RAX` is no register");
    says(arm("LDR W31,[X1]", "exists (x=0)"), 4, "`W31` is no register");
    says(arm("MOV Y0,#1", "exists (x=0)"), 4, "`Y0` is no register");
    says(load("exists (x=0)").replace("0:X1=x;", "0:X1=x; 1:X1=x;"), 2, "a thread that the test does not have");
    says(load("exists (x=0)").replace("0:X1=x;", "0:X1=x; 0:X44=x;"), 2, "`X44` is no register");
    says(load("exists (x=0)").replace("0:X1=x;", "0:X1=x; 0:W1=y;"), 2, "`0:W1` is given twice");
    says(load("exists (x=0)").replace("0:X1=x;", "0:X1=x; x=1; x=2;"), 2, "`x` is given twice");
    says(load("exists (x=0)").replace(" P0 ;", " P1 ;"), 3, "with the threads in order");
    says(arm("LDR W0,[X1] ;\n CBNZ W0,L ;\n L: ;\n L:", "exists (x=0)"), 7, "`L` is there twice");
    says(c("atomic_store(y, 1);"), 4, "`y` is no parameter");
    says(c("atomic_store(x, 1);").replace("P0", "P1"), 3, "expected the thread `P0");
    says(c("atomic_store_explicit(x, 1, memory_order_acquire);"), 4, "a store cannot acquire");
    says(c("int r0 = atomic_load_explicit(x, memory_order_acq_rel);"), 4, "a load cannot release");
    says(x86("movl (%rbx),%al"), 4, "is not read");
    says(x86("xchg $1,(%rbx)"), 4, "is not read");
    says(x86("mov [x],%eax"), 4, "is the destination first, or last?");
    says("".into(), 1, "empty");
    says("AArch64 T\n".into(), 1, "initial values");
}

#[test]
fn a_register_that_holds_another_number_is_no_cell_with_a_great_value() {
    let text = "AArch64 T\n{ x=2147483647; }\n P0 ;\n MOV W0,#1 ;\nexists (0:X0=2)\n";
    let test = litmus::herd::read(text).expect("reads");
    assert!(!litmus::run(&test, &memory::builtin::find("sc").expect("built in")).expect("runs").allowed);
}
