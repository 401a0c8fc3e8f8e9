//! Parts of a hundred as a user writes them: `0.5%`.

/// A part of 1 that may be 0. Without its sign a number might be meant either way.
pub fn part(text: &str) -> Result<f64, String> {
    let Some(number) = text.strip_suffix('%') else {
        return Err(format!("`{text}` must end with %, for example 0.5%"));
    };
    let number = number.trim().parse::<f64>().map_err(|error| format!("`{text}`: {error}"))?;
    let part = number / 100.0;
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
    fn parts_are_read_with_their_sign_alone() {
        assert_eq!(part("0.5%"), Ok(0.005));
        assert_eq!(part("0.5 %"), Ok(0.005));
        assert_eq!(part("0%"), Ok(0.0));
        assert_eq!(part("95%"), Ok(records::schema::CONFIDENCE));
        assert!(some_part("0%").unwrap_err().contains("more than 0 %"));
        for bad in ["0.5", "0", "1"] {
            assert!(some_part(bad).unwrap_err().contains("must end with %"), "{bad}");
        }
        for bad in ["100%", "-1%", "NaN%", "x%", "%", ""] {
            assert!(part(bad).is_err(), "{bad}");
        }
    }
}
