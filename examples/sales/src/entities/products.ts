import {
  decimal,
  double,
  fileRef,
  integer,
  localDate,
  long,
  manyToMany,
  manyToManyInverse,
  softDeletedEntity,
  standardEntity,
  string,
} from '@lintel/metadata';

export const Product = softDeletedEntity('sales_Product', {
  attributes: {
    name: string(255).mandatory().searchable({ weight: 'A', prefix: true, typos: true }),
    sku: string(50).mandatory().unique().searchable({ weight: 'A', prefix: true }),
    price: decimal(19, 2).mandatory().min(0),
    weight: double(),
    stock: integer(),
    barcode: long(),
    releasedOn: localDate(),
    tags: manyToMany('sales_ProductTag'),
    picture: fileRef(),
    internalNote: string().secret(),
  },
  instanceName: ['name'],
});

export const ProductTag = standardEntity('sales_ProductTag', {
  attributes: {
    name: string(50).mandatory().unique(),
    products: manyToManyInverse('sales_Product', 'tags'),
  },
  instanceName: ['name'],
});
