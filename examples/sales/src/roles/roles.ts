import {
  entityPolicy,
  modifyAttributes,
  queryPolicy,
  resourceRole,
  rowLevelRole,
  specificPolicy,
  viewAttributes,
} from '@lintel/security';

const MANAGED = ['sales_Order', 'sales_OrderLine', 'sales_LineDiscount', 'sales_Delivery', 'sales_Customer'];
const READ_ONLY = ['sales_Product', 'sales_ProductTag', 'sales_CustomerCategory'];

const salesManager = resourceRole('sales-manager', {
  name: 'Sales manager',
  childRoles: ['report-run-api'],
  policies: [
    ...MANAGED.map((entity) => entityPolicy(entity, 'all')),
    ...READ_ONLY.map((entity) => entityPolicy(entity, 'read')),
    entityPolicy('sales_Address', 'read', 'update'),
    ...[...MANAGED, ...READ_ONLY, 'sales_Address'].map((entity) => modifyAttributes(entity, '*')),
    viewAttributes('sales_PriceQuote', '*'),
    specificPolicy('personal.read'),
    specificPolicy('rest.fileUpload.enabled'),
    specificPolicy('rest.fileDownload.enabled'),
  ],
});

/** Customer attributes a clerk sees; `creditLimit` is not among them. */
const CLERK_CUSTOMER = [
  'id',
  'version',
  'createdDate',
  'createdBy',
  'lastModifiedDate',
  'lastModifiedBy',
  'deletedDate',
  'deletedBy',
  'name',
  'grade',
  'active',
  'birthDate',
  'address',
  'category',
  'orders',
  'avatar',
  'tags',
];

const salesClerk = resourceRole('sales-clerk', {
  name: 'Sales clerk',
  policies: [
    ...[...MANAGED, ...READ_ONLY, 'sales_Address'].map((entity) => entityPolicy(entity, 'read')),
    entityPolicy('sales_Order', 'update'),
    entityPolicy('sales_Customer', 'update'),
    specificPolicy('history.read.sales_Customer'),
    specificPolicy('personal.read.sales_Customer'),
    viewAttributes('sales_PriceQuote', '*'),
    viewAttributes('sales_Order', '*'),
    modifyAttributes('sales_Order', 'status', 'notes'),
    viewAttributes('sales_Customer', ...CLERK_CUSTOMER),
    modifyAttributes('sales_Customer', 'phone', 'email'),
    ...['sales_OrderLine', 'sales_LineDiscount', 'sales_Delivery', ...READ_ONLY, 'sales_Address'].map((entity) =>
      viewAttributes(entity, '*'),
    ),
  ],
});

const catalogReader = resourceRole('catalog-reader', {
  name: 'Reader of the product catalogue',
  policies: [entityPolicy('sales_Product', 'read'), viewAttributes('sales_Product', '*')],
});

const ownRegion = rowLevelRole('own-region', {
  name: 'Own region',
  policies: [
    queryPolicy('sales_Customer', '{E}.address.country = :current_user_country'),
    queryPolicy('sales_Order', '{E}.customer.address.country = :current_user_country'),
  ],
});

/** Discounts above this many percent hide their line. */
const HIGHEST_SHOWN_PERCENT = 50;

const noDiscountedLines = rowLevelRole('no-discounted-lines', {
  name: 'No heavily discounted lines',
  policies: [
    {
      kind: 'predicate',
      entity: 'sales_OrderLine',
      actions: ['read'],
      dependsOn: ['discounts.percent'],
      test: ({ discounts }) =>
        !Array.isArray(discounts) ||
        discounts.every(({ percent }: { percent?: unknown }) => Number(percent ?? 0) <= HIGHEST_SHOWN_PERCENT),
    },
  ],
});

export const ROLES = [salesManager, salesClerk, catalogReader];
export const ROW_LEVEL_ROLES = [ownRegion, noDiscountedLines];
