/** What a version of the contracts consists of. */
export interface ContractState {
  /** `contractVersion` of the package. */
  readonly version: string;
  /** The first heading of its changelog. */
  readonly newestEntry: string | undefined;
}

/** What other services can notice: everything of the package but its tests, its version and its changelog. */
const isContract = (path: string): boolean =>
  path.startsWith('libs/contracts/') &&
  !path.endsWith('.test.ts') &&
  path !== 'libs/contracts/package.json' &&
  path !== 'libs/contracts/CHANGELOG.md';

/**
 * Why a change may not land as it is: changed contracts need a higher version with an entry in the changelog.
 * Undefined where all is well.
 */
export function contractVersionProblem(
  changedPaths: readonly string[],
  before: ContractState | undefined,
  after: ContractState | undefined,
): string | undefined {
  if (after === undefined) return 'libs/contracts/package.json has no contractVersion';
  if (after.newestEntry !== after.version)
    return `The newest entry of libs/contracts/CHANGELOG.md is ${after.newestEntry}, and contractVersion is ${after.version}: they must be the same`;
  const changed = changedPaths.filter(isContract);
  if (changed.length === 0 || before === undefined || isHigher(after.version, before.version)) return undefined;
  return `The contracts have changed (${changed.join(', ')}), and their version has not: raise contractVersion in libs/contracts/package.json above ${before.version}, and say in libs/contracts/CHANGELOG.md what others will notice`;
}

function isHigher(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.split('.').map(Number));
  for (let index = 0; index < 3; index += 1) {
    const difference = (one?.[index] ?? 0) - (other?.[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
