//! Colours and markers. Colours are those of Okabe and Ito (<https://jfly.uni-koeln.de/color/>), made to
//! be told apart by colour-blind readers; each has a lighter or darker counterpart for a dark page. No
//! meaning hangs on a colour alone: shapes and labels say the same.

use plotters::style::RGBColor;

use crate::view::{Role, View};
use records::schema::BackendRecord;

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

    /// A backend's colour; on a dark page it is mixed with white until it stands out there.
    fn of_backend(light: u32) -> Self {
        let mixed = |parts: u32| {
            let channel = |shift: u32| {
                let value = (light >> shift) & 255;
                (value + (255 - value) * parts / 16) << shift
            };
            channel(16) | channel(8) | channel(0)
        };
        let stands_out = |colour: &u32| contrast(*colour, PAPER.dark) >= 4.5;
        Self { light, dark: (0..16).map(mixed).find(stands_out).unwrap_or(0xFF_FF_FF) }
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

/// Shapes of controls, in their order.
const SHAPES: [Shape; 4] = [Shape::Circle, Shape::Square, Shape::Diamond, Shape::Triangle];
/// The colours of backends in files that name none, in the order of the file.
const COLOURS: [u32; 8] = [
    0x24_29_2F, 0x56_B4_E9, 0xE6_9F_00, 0x00_73_B3, 0xD4_5D_00, 0xB8_5C_90, 0x00_9D_72, 0x95_9D_A6,
];

/// The value of a colour like `#0072b2`.
fn hexadecimal(colour: &str) -> Option<u32> {
    u32::from_str_radix(colour.strip_prefix('#').filter(|digits| digits.len() == 6)?, 16).ok()
}

/// How the backends of a run are drawn, in the order of tables. A binding has the shape of its control,
/// filled.
pub(super) fn looks<'run>(view: &View<'run>) -> Vec<(&'run BackendRecord, Look)> {
    let controls: Vec<&str> = view
        .backends()
        .iter()
        .filter(|backend| backend.control.is_none())
        .map(|backend| backend.id.as_str())
        .collect();
    let look = |(place, backend): (usize, &&'run BackendRecord)| {
        let control = backend.control.as_deref().unwrap_or(&backend.id);
        let shape = controls.iter().position(|id| *id == control).unwrap_or_default();
        let colour = backend.colour.as_deref().and_then(hexadecimal);
        let colour = Colour::of_backend(colour.unwrap_or(COLOURS[place % COLOURS.len()]));
        let filled = view.role(backend) == Role::Binding;
        (*backend, Look { colour, shape: SHAPES[shape % SHAPES.len()], filled })
    };
    view.backends().iter().enumerate().map(look).collect()
}

/// The colours that pictures use whatever they show.
pub(super) const NAMED: [Colour; 13] = [
    PAPER, INK, MUTED, RULE, ONE, FLOOR, SLOWER, FASTER, UNDECIDED, BINDING, ENGINE, ALLOCATOR,
    LIBC,
];

/// Relative luminance (WCAG 2.2) of a colour.
fn luminance(colour: u32) -> f64 {
    let channel = |shift: u32| {
        let part = f64::from((colour >> shift) & 255) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0)
}

/// The contrast of two colours (WCAG 2.2): 4.5 is enough for text, 3 for what carries meaning.
fn contrast(a: u32, b: u32) -> f64 {
    let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
    a.max(b) / a.min(b)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use records::testing::Run;

    /// The style sheet for dark pages finds colours by their light value.
    #[test]
    fn no_two_colours_are_drawn_alike() {
        let colours = NAMED.map(|colour| colour.light).into_iter().chain(COLOURS);
        assert_eq!(colours.collect::<BTreeSet<u32>>().len(), NAMED.len() + COLOURS.len());
    }

    #[test]
    fn text_and_marks_stand_out_on_both_pages() {
        for (colour, least) in [(INK, 7.0), (MUTED, 4.5), (SLOWER, 3.0), (FASTER, 3.0), (ONE, 3.0)]
        {
            assert!(contrast(colour.light, PAPER.light) >= least, "{colour:x?}");
            assert!(contrast(colour.dark, PAPER.dark) >= least, "{colour:x?}");
        }
        for light in COLOURS.into_iter().chain([0, 0xFF_FF_FF]) {
            let dark = Colour::of_backend(light).dark;
            assert!(contrast(dark, PAPER.dark) >= 4.5, "{light:x} {dark:x}");
        }
    }

    #[test]
    fn a_binding_has_the_shape_of_its_control_filled() {
        let run = Run::whole().build();
        let view = View::new(&run);
        let [raw, control, heed] = [0, 1, 2].map(|place| looks(&view)[place].1);
        assert_eq!((control.shape, heed.shape), (Shape::Square, Shape::Square));
        let (found, colour) = (heed.colour.light, view.backends()[2].colour.as_deref());
        assert_eq!(Some(found), colour.and_then(hexadecimal).or(Some(COLOURS[2])));
        assert!(raw.shape == Shape::Circle && !raw.filled && !control.filled && heed.filled);
    }
}
