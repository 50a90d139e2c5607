/** Name of the database in the paths, which the copy of the data set has for each run. */
export const PREST_DATABASE = 'lintel_bench_run';
