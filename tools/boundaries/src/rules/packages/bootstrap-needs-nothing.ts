import { isWithin } from '../../workspace/import-target.ts';
import { importRule } from '../import-rule.ts';

const BOOTSTRAP = 'tools/bootstrap';

/** The first command in a fresh clone runs before anything is installed. */
export const bootstrapNeedsNothing = importRule(
  {
    id: 'bootstrap-needs-nothing',
    statement: 'tools/bootstrap imports nothing but itself and the modules of Node',
    because: 'it runs in a fresh clone, before the packages are installed',
  },
  ({ file, statement, target }) => {
    if (file.isTest || !isWithin(file.path, BOOTSTRAP)) return undefined;
    const leaves = target.kind === 'package' || (target.kind === 'file' && !isWithin(target.path, BOOTSTRAP));
    return leaves ? `imports ${statement.specifier}` : undefined;
  },
);
