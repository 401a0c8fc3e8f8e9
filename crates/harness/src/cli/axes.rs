//! The options of the axes: one for each entry of the table.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use write_backend::{AXES, Axis, Value, Values};

use crate::selection::AxisValues;

impl Args for AxisValues {
    fn augment_args(command: Command) -> Command {
        command.args(AXES.iter().map(option))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for AxisValues {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut values = Self::default();
        values.update_from_arg_matches(matches)?;
        Ok(values)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for axis in &AXES {
            if let Some(given) = matches.get_many::<Value>(axis.key) {
                self.ask(axis.key, given.copied());
            }
        }
        Ok(())
    }
}

fn option(axis: &'static Axis) -> Arg {
    Arg::new(axis.key)
        .long(axis.option)
        .value_name(axis.placeholder)
        .action(ArgAction::Append)
        .value_delimiter(',')
        .value_parser(|text: &str| axis.parse(text))
        .help(help(axis))
}

/// For example `Length of every key in bytes, 1 to 511 [default: 4]`.
fn help(axis: &Axis) -> String {
    let unit = axis.unit.map_or(String::new(), |unit| format!(" in {unit}"));
    let allowed = match axis.values {
        Values::Numbers { low, high } => format!(", {low} to {high}"),
        Values::Names(names) => format!(": {}", names.join(", ")),
    };
    let defaults: Vec<String> = axis.defaults.iter().map(Value::to_string).collect();
    format!("{}{unit}{allowed} [default: {}]", axis.meaning, defaults.join(","))
}
