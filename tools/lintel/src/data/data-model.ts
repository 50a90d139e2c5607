import type { DetailedAttributeInfo, DetailedEntityInfo } from '@lintel/client';
import { CommandError } from '../command-error.ts';
import { askServer } from '../history/ask-server.ts';
import type { ServerOptions } from '../login/login.command.ts';

/** The entities of the server as the login sees them. */
export type DataModel = ReadonlyMap<string, DetailedEntityInfo>;

/** Reads the entities. */
export async function readDataModel(options: ServerOptions): Promise<DataModel> {
  const all = await askServer<readonly DetailedEntityInfo[]>(options, { path: '/metadata/entities?details=true' });
  // Names are names of files: no server chooses a path on this machine.
  const named = all.filter(({ entityName }) => /^[\w$]+$/.test(entityName));
  return new Map(named.map((entity) => [entity.entityName, entity]));
}

/** @throws CommandError for a name that no entity has, or that the login may not see */
export function entityIn(model: DataModel, name: string): DetailedEntityInfo {
  const found = model.get(name);
  if (found !== undefined) return found;
  throw new CommandError(`There is no entity ${name}, or you may not see it`, 'The metadata of the API has the names');
}

/** Written by the server. */
const SYSTEM = [
  'version',
  ...['createdDate', 'createdBy', 'lastModifiedDate', 'lastModifiedBy', 'deletedDate', 'deletedBy'],
];

/** The attribute by which other installations find an instance; undefined: its id. Personal ones stay where they are. */
export const naturalKeyOf = ({ properties, key }: DetailedEntityInfo): string | undefined =>
  properties.find(
    ({ name, unique, mandatory, readOnly, personal, attributeType }) =>
      unique === true &&
      personal !== true &&
      mandatory &&
      !readOnly &&
      attributeType === 'DATATYPE' &&
      name !== key &&
      name !== 'id',
  )?.name;

/** Attributes whose values move: stored ones that clients write, at the owning end of references. */
export const movedAttributes = (
  { properties, key }: DetailedEntityInfo,
  { personal }: { readonly personal: boolean },
): readonly DetailedAttributeInfo[] =>
  properties.filter(
    (each) =>
      each.persistent &&
      !each.readOnly &&
      each.writeOnly !== true &&
      (personal || each.personal !== true) &&
      each.name !== key &&
      !SYSTEM.includes(each.name) &&
      (each.attributeType !== 'ASSOCIATION' || each.owning === true),
  );
