import { standardEntity, string } from '@lintel/metadata';

/** Served at `/rest/entities/sample_Customer`, kept in the table `sample.customer`. */
export const Customer = standardEntity('sample_Customer', {
  attributes: {
    name: string(255).mandatory().notBlank(),
    email: string(255).email(),
    city: string(100),
  },
  instanceName: ['name'],
});
