export { Chart, type ChartProps, type ChartRow } from './chart.ts';
export { namesOfQuestion, type Question, type QuestionChart } from './question.ts';
