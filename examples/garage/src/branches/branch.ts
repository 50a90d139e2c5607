import { standardEntity, string } from '@lintel/metadata';

/** A place where the garage works. Users belong to a branch, or choose one after the login. */
export const Branch = standardEntity('garage_Branch', {
  attributes: {
    name: string(100).mandatory().unique(),
    city: string(50),
  },
  instanceName: ['name'],
});
