/**
 * `npm run test:unit` of a package, by which turbo runs it: the unit and property tests of the package in the current
 * folder. The result goes to `.turbo/unit-result`, which turbo keeps and brings back while nothing has changed that the
 * tests depend on (`turbo.json` says what that is).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../bootstrap/paths.mjs';
import { runJest } from './stages.mjs';

const began = Date.now();
const folder = process.cwd();
const result = await runJest(['unit'], { parameters: ['--runInBand', '--', `${relative(ROOT, folder)}/`] });
mkdirSync(join(folder, '.turbo'), { recursive: true });
writeFileSync(join(folder, '.turbo', 'unit-result'), JSON.stringify({ ...result, began }));
if (result.failed > 0) process.stdout.write(`${result.output}\n`);
process.exitCode = result.failed === 0 ? 0 : 1;
