import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What `--expose-gc` makes global. The option is off again afterwards: the compile cache depends on the options. */
export function openCollector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  setFlagsFromString('--no-expose-gc');
  return gc;
}
