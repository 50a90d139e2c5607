import {
  entityPolicy,
  modifyAttributes,
  queryPolicy,
  resourceRole,
  rowLevelRole,
  viewAttributes,
} from '@lintel/security';

const CUSTOMERS = ['garage_Customer', 'garage_Car'];
const WORK = ['garage_Job', 'garage_JobPart', 'garage_Labour'];
const CATALOGUE = ['garage_Branch', 'garage_Part', 'garage_Supplier', 'garage_Mechanic'];

/** The people at the counter: customers, cars and jobs. */
const desk = resourceRole('garage-desk', {
  name: 'Counter',
  childRoles: ['report-run-api'],
  policies: [
    ...[...CUSTOMERS, ...WORK].map((entity) => entityPolicy(entity, 'all')),
    entityPolicy('garage_Invoice', 'read', 'create'),
    entityPolicy('garage_Address', 'read', 'update'),
    ...CATALOGUE.map((entity) => entityPolicy(entity, 'read')),
    entityPolicy('sys_ReportDelivery', 'all'),
    modifyAttributes('sys_ReportDelivery', '*'),
    ...[...CUSTOMERS, ...WORK, 'garage_Address', 'garage_Invoice'].map((entity) => modifyAttributes(entity, '*')),
    viewAttributes('garage_Branch', '*'),
    viewAttributes('garage_Part', '*'),
    viewAttributes('garage_Supplier', '*'),
    viewAttributes('garage_Mechanic', 'id', 'version', 'name'),
  ],
});

/** Mechanics see cars and jobs, not the customers' addresses and not what others earn. */
const mechanic = resourceRole('garage-mechanic', {
  name: 'Mechanic',
  policies: [
    entityPolicy('garage_Branch', 'read'),
    entityPolicy('garage_Car', 'read', 'update'),
    entityPolicy('garage_Customer', 'read'),
    entityPolicy('garage_Mechanic', 'read'),
    entityPolicy('garage_Part', 'read'),
    entityPolicy('garage_Job', 'read', 'update'),
    ...['garage_JobPart', 'garage_Labour'].map((entity) => entityPolicy(entity, 'all')),
    viewAttributes('garage_Branch', 'id', 'name'),
    viewAttributes('garage_Car', '*'),
    modifyAttributes('garage_Car', 'mileage'),
    viewAttributes('garage_Customer', 'id', 'name'),
    viewAttributes('garage_Mechanic', 'id', 'name', 'username'),
    viewAttributes('garage_Part', '*'),
    viewAttributes('garage_Job', '*'),
    modifyAttributes('garage_Job', 'status', 'mileage', 'measurements', 'parts', 'labour'),
    modifyAttributes('garage_JobPart', '*'),
    modifyAttributes('garage_Labour', '*'),
  ],
});

/** The price list without a token: the user `anonymous` has this role. */
const catalogue = resourceRole('garage-catalogue', {
  name: 'Catalogue',
  policies: [entityPolicy('garage_Part', 'read'), viewAttributes('garage_Part', 'number', 'name', 'price')],
});

/** A mechanic sees the own jobs, and those without a mechanic. */
const ownJobs = rowLevelRole('garage-own-jobs', {
  name: 'Own jobs',
  policies: [
    queryPolicy('garage_Job', '{E}.mechanic.username = :current_user_username or {E}.mechanic is null', {
      actions: ['read', 'update'],
    }),
  ],
});

/** The jobs of the branch that the user belongs to, for reading and writing. */
const ownBranch = rowLevelRole('garage-own-branch', {
  name: 'Jobs of the own branch',
  policies: [
    queryPolicy('garage_Job', '{E}.branch.id = :current_user_branch', {
      actions: ['read', 'create', 'update', 'delete'],
    }),
  ],
});

/** The jobs of the branch that the user has chosen in this session. */
const chosenBranch = rowLevelRole('garage-chosen-branch', {
  name: 'Jobs of the chosen branch',
  policies: [
    queryPolicy('garage_Job', '{E}.branch.id = :session_branch', { actions: ['read', 'create', 'update', 'delete'] }),
  ],
});

export const ROLES = [desk, mechanic, catalogue];
export const ROW_LEVEL_ROLES = [ownJobs, ownBranch, chosenBranch];
