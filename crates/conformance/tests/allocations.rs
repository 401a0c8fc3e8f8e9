//! What the counter of heap allocations counts.

use std::hint::black_box;

use allocation_counter::measure;

#[test]
fn growing_a_block_counts_as_another() {
    let mut bytes: Vec<u8> = Vec::with_capacity(8);
    let info = measure(|| {
        bytes.reserve_exact(black_box(16));
    });
    assert_eq!((info.count_total, info.bytes_total), (1, 16));
}

#[test]
fn zeroed_blocks_count() {
    let info = measure(|| drop(black_box(vec![0_u8; 100])));
    assert_eq!((info.count_total, info.bytes_total), (1, 100));
}

#[test]
fn other_threads_do_not_count() {
    let info = measure(|| {});
    let other = std::thread::spawn(|| {
        for _ in 0..1000 {
            drop(black_box(Box::new(1)));
        }
    });
    let here = measure(|| {
        let start = std::time::Instant::now();
        while start.elapsed().as_millis() < 5 {}
    });
    other.join().unwrap();
    assert_eq!(info.count_total, 0);
    assert_eq!(here.count_total, 0);
}
