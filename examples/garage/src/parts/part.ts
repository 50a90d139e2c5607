import { decimal, integer, keyedEntity, manyToMany, manyToManyInverse, standardEntity, string } from '@lintel/metadata';

export const Supplier = standardEntity('garage_Supplier', {
  attributes: {
    name: string(100).mandatory().unique(),
    email: string(255).email(),
    parts: manyToManyInverse('garage_Part', 'suppliers'),
  },
  instanceName: ['name'],
});

/** Its key is the number that the manufacturer prints on it. */
export const Part = keyedEntity('garage_Part', {
  key: 'number',
  attributes: {
    number: string(30).size(3, 30),
    name: string(100).mandatory(),
    price: decimal(10, 2).mandatory().min(0),
    stock: integer().mandatory().min(0).default(0),
    suppliers: manyToMany('garage_Supplier'),
  },
  instanceName: ['name'],
});
