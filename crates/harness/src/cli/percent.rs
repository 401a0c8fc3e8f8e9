//! Parts of a hundred as a user writes them: `0.5%` or `0.005`.

/// A part of 1 that may be 0.
pub fn part(text: &str) -> Result<f64, String> {
    let (number, scale) = match text.strip_suffix('%') {
        Some(number) => (number.trim(), 0.01),
        None => (text, 1.0),
    };
    let part = number.parse::<f64>().map_err(|error| format!("`{text}`: {error}"))? * scale;
    if (0.0..1.0).contains(&part) {
        Ok(part)
    } else {
        Err(format!("`{text}` must be at least 0 % and less than 100 %, for example 0.5%"))
    }
}

/// A part of 1 of which there must be some.
pub fn some_part(text: &str) -> Result<f64, String> {
    match part(text)? {
        0.0 => Err(format!("`{text}` must be more than 0 %, for example 0.5%")),
        part => Ok(part),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_with_and_without_their_sign() {
        assert_eq!(part("0.5%"), Ok(0.005));
        assert_eq!(part("0.5 %"), Ok(0.005));
        assert_eq!(some_part("0.005"), Ok(0.005));
        assert_eq!(part("0"), Ok(0.0));
        assert!(some_part("0%").unwrap_err().contains("more than 0 %"));
        for bad in ["100%", "-1%", "NaN", "x", ""] {
            assert!(part(bad).is_err(), "{bad}");
        }
    }
}
