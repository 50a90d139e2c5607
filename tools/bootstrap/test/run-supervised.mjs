/** `node run-supervised.mjs <file> [parameters]`: runs a program as `npm start` does. */
import { supervise } from '../supervision/supervise.mjs';

const [file, ...parameters] = process.argv.slice(2);
await supervise(file, parameters, { environment: process.env, name: 'The program' });
