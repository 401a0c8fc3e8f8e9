//! Colours and markers. Colours are those of Okabe and Ito (<https://jfly.uni-koeln.de/color/>), made to
//! be told apart by colour-blind readers; each has a lighter or darker counterpart for a dark page. No
//! meaning hangs on a colour alone: shapes and labels say the same.

use plotters::style::RGBColor;

/// A colour, and what takes its place on a dark page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Colour {
    pub(super) light: u32,
    pub(super) dark: u32,
}

impl Colour {
    const fn new(light: u32, dark: u32) -> Self {
        Self { light, dark }
    }

    /// The colour that is drawn; a style sheet in the picture replaces it on a dark page.
    pub(super) const fn rgb(self) -> RGBColor {
        RGBColor((self.light >> 16) as u8, (self.light >> 8) as u8, self.light as u8)
    }
}

/// Behind everything. Not transparent: the page around a picture may be dark where its reader's system is
/// not, and the picture hears of the system alone.
pub(super) const PAPER: Colour = Colour::new(0xFF_FF_FF, 0x0D_11_17);
/// Text.
pub(super) const INK: Colour = Colour::new(0x1F_23_28, 0xE6_ED_F3);
/// Text that explains.
pub(super) const MUTED: Colour = Colour::new(0x57_60_6A, 0xA2_AC_B8);
/// Lines that carry no data.
pub(super) const RULE: Colour = Colour::new(0xDF_E3_E8, 0x2B_32_3B);
/// The line that data is compared with.
pub(super) const ONE: Colour = Colour::new(0x6E_77_81, 0x8B_94_9E);
/// The noise floor.
pub(super) const FLOOR: Colour = Colour::new(0xE4_E7_EB, 0x2A_31_3A);

/// A verdict of "slower".
pub(super) const SLOWER: Colour = Colour::new(0xD5_5E_00, 0xF0_86_3A);
/// A verdict of "faster".
pub(super) const FASTER: Colour = Colour::new(0x00_72_B2, 0x4F_A8_E0);
/// No difference found.
pub(super) const UNDECIDED: Colour = Colour::new(0x80_88_91, 0x8A_93_9D);

/// The parts of a bar of instructions: the binding stands out, the C library is two shades of one colour.
pub(super) const BINDING: Colour = Colour::new(0xD6_5F_01, 0xF0_87_3B);
/// See [`BINDING`].
pub(super) const ENGINE: Colour = Colour::new(0x9C_C9_E8, 0x2F_5E_80);
/// See [`BINDING`].
pub(super) const ALLOCATOR: Colour = Colour::new(0x00_9E_73, 0x2B_B6_8C);
/// See [`BINDING`].
pub(super) const LIBC: Colour = Colour::new(0xA8_DC_CA, 0x1F_5E_4C);

/// What stands at a data point: hollow for raw FFI, filled for what is built on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Circle,
    Square,
    Diamond,
    Triangle,
}

/// How a backend is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) colour: Colour,
    pub(super) shape: Shape,
    pub(super) filled: bool,
}

const fn look(colour: Colour, shape: Shape, filled: bool) -> Look {
    Look { colour, shape, filled }
}

/// In the order of a run's backends. A binding has the shape of its control and a colour near that one's.
const LOOKS: [Look; 8] = [
    look(Colour::new(0x24_29_2F, 0xF0_F3_F6), Shape::Circle, false),
    look(Colour::new(0x56_B4_E9, 0x7F_C8_F2), Shape::Square, false),
    look(Colour::new(0xE6_9F_00, 0xF2_BE_4B), Shape::Diamond, false),
    look(Colour::new(0x00_73_B3, 0x4A_9F_DB), Shape::Square, true),
    look(Colour::new(0xD4_5D_00, 0xF0_85_39), Shape::Diamond, true),
    look(Colour::new(0xB8_5C_90, 0xDE_95_BC), Shape::Triangle, true),
    look(Colour::new(0x00_9D_72, 0x2A_B5_8B), Shape::Circle, true),
    look(Colour::new(0x95_9D_A6, 0x7D_86_90), Shape::Circle, false),
];

/// The look of the backend at `place` among those of its run.
pub(super) fn of_backend(place: usize) -> Look {
    LOOKS[place % LOOKS.len()]
}

/// All colours there are.
pub(super) fn all() -> impl Iterator<Item = Colour> {
    let named = [
        PAPER, INK, MUTED, RULE, ONE, FLOOR, SLOWER, FASTER, UNDECIDED, BINDING, ENGINE, ALLOCATOR,
        LIBC,
    ];
    named.into_iter().chain(LOOKS.iter().map(|look| look.colour))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The style sheet for dark pages finds colours by their light value.
    #[test]
    fn no_two_colours_are_drawn_alike() {
        let light: BTreeSet<u32> = all().map(|colour| colour.light).collect();
        assert_eq!(light.len(), all().count());
    }

    /// Relative luminance (WCAG 2.2) of a colour.
    fn luminance(colour: u32) -> f64 {
        let channel = |shift: u32| {
            let part = f64::from((colour >> shift) & 255) / 255.0;
            if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0)
    }

    fn contrast(a: u32, b: u32) -> f64 {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        a.max(b) / a.min(b)
    }

    /// WCAG 2.2 asks 4.5 of text and 3 of what carries meaning.
    #[test]
    fn text_and_marks_stand_out_on_both_pages() {
        for (colour, least) in [(INK, 7.0), (MUTED, 4.5), (SLOWER, 3.0), (FASTER, 3.0), (ONE, 3.0)]
        {
            assert!(contrast(colour.light, PAPER.light) >= least, "{colour:x?}");
            assert!(contrast(colour.dark, PAPER.dark) >= least, "{colour:x?}");
        }
    }
}
