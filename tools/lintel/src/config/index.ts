export { explainProblems } from './explain-problems.ts';
export { type ConfigReport, reportConfig } from './report-config.ts';
export { mapKeys, SHAPES } from './service-shapes.ts';
