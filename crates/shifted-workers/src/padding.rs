//! Bytes in front of a worker's code: the same source at other addresses. On ELF systems only;
//! elsewhere the programs are built without them, and the layout trial is not run.

// In the first object file that the linker meets; kept because a static points to it.
#[cfg(target_os = "linux")]
core::arch::global_asm!(
    ".section .text.layout_padding,\"ax\",@progbits",
    ".globl layout_padding",
    "layout_padding:",
    concat!(".skip ", env!("LAYOUT_SHIFT"), ", 0xcc"),
    ".text",
);

#[cfg(target_os = "linux")]
// SAFETY: the label in the assembler text above. It is there to have an address and is never called.
unsafe extern "C" {
    fn layout_padding();
}

#[cfg(target_os = "linux")]
#[used]
static KEPT: unsafe extern "C" fn() = layout_padding;
