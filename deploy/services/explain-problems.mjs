export { explainProblems } from '@lintel/cli/config';
