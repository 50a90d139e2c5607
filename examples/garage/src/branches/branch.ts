import { standardEntity, string } from '@lintel/metadata';

/** A location of the garage. Users belong to a branch, or choose one after the login. */
export const Branch = standardEntity('garage_Branch', {
  attributes: {
    name: string(100).mandatory().unique(),
    city: string(50),
  },
  instanceName: ['name'],
});
