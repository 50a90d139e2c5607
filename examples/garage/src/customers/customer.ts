import { embeddable, embedded, softDeletedEntity, string, toMany } from '@lintel/metadata';

export const Address = embeddable('garage_Address', {
  attributes: {
    street: string(100),
    zip: string(10),
    city: string(50),
  },
});

/** The owner of cars. Customers who leave are marked as deleted: their invoices stay. */
export const Customer = softDeletedEntity('garage_Customer', {
  attributes: {
    name: string(255).mandatory().notBlank(),
    email: string(255).email(),
    phone: string(30),
    address: embedded('garage_Address'),
    cars: toMany('garage_Car', 'owner'),
  },
  instanceName: ['name'],
  indexes: [{ attributes: ['name'], unique: false, search: true }],
});
