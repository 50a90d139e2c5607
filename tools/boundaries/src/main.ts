import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkBoundaries } from './check-boundaries.ts';
import { formatResult } from './format-result.ts';
import { testsOfRules } from './rules/documents/contract-rules-have-tests.ts';
import { RULES } from './rules/index.ts';
import { readWorkspace } from './workspace/read-workspace.ts';

/**
 * `npm run boundaries`: checks the repository; exit code 1 if a rule is broken. With `-- --contract` prints which tests
 * assert which rule of the contract.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const begin = performance.now();
const workspace = readWorkspace(root);
if (process.argv.includes('--contract'))
  for (const [rule, tests] of [...testsOfRules(workspace.texts)].sort(([one], [other]) => one.localeCompare(other)))
    process.stdout.write(`${rule}\n${tests.map(({ file, title }) => `  ${file} › ${title}\n`).join('')}`);
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
