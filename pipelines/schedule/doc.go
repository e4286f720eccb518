// Package schedule runs a pipeline again and again: at the times of a cron line, when enough patents wait in the
// topic, or both.
//
// In: a function that runs the pipeline once, the clock, and the topic. Out: runs, one at a time, and a state file in the
// workspace, schedule/<pipeline>.json.
//
// Promised:
//   - A run that fails, or whose gate refuses, is logged and counted, and the next fire runs.
//   - Fires never pile up. While a run goes on, or another process holds the workspace, at most one waits
//     (overlap=queue), or none does (overlap=skip).
//   - Fires that were missed while the process was down, the machine slept or the clock jumped ahead become one run
//     (missed=run-once) or none (missed=skip), however many they were. A run that was cut off counts as missed.
//   - A clock that is set back up to an hour repeats no fire; one that is set back further starts anew from the time it
//     shows.
//   - In a cron line with a fixed hour each local time counts once a day: one that summer time leaves out fires when the
//     gap ends, one that comes twice fires the first time. A line for every hour goes by elapsed time.
//   - A run for new patents that takes none of them is tried again after a pause that doubles up to an hour.
package schedule
