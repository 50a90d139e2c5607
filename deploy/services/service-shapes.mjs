export { mapKeys, SHAPES } from '@lintel/cli/config';
