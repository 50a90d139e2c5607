export { generatedFiles } from './generated-files.ts';
