import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkBoundaries } from './check-boundaries.ts';
import { formatResult } from './format-result.ts';
import { RULES } from './rules/index.ts';
import { readWorkspace } from './workspace/read-workspace.ts';

/** `npm run boundaries`: checks the repository; exit code 1 if a rule is broken. */
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const begin = performance.now();
const workspace = readWorkspace(root);
const result = checkBoundaries(workspace);
const text = formatResult(result);
const problems = result.violations.length + result.unusedExceptions.length;
if (problems > 0) {
  process.stderr.write(`${text}\nBoundaries: ${problems} ${problems === 1 ? 'problem' : 'problems'}.\n`);
  process.exitCode = 1;
} else {
  const { files, packages } = workspace;
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  process.stdout.write(
    `Boundaries: ${RULES.length} rules hold in ${files.length} files of ${packages.length} packages (${seconds} s).\n`,
  );
}
