import type { DemoData } from '@lintel/application';

type Instances = DemoData['instances'];

const user = (
  username: string,
  roles: readonly string[],
  rowLevelRoles: readonly string[] = [],
  branch?: string,
): Instances => [
  {
    entity: 'sec_User',
    // No user logs in as `anonymous`.
    values: {
      username,
      active: true,
      ...(username !== 'anonymous' && { password: username }),
      ...(branch !== undefined && { branch: { id: branch } }),
    },
  },
  ...roles.map((roleCode) => ({
    entity: 'sec_RoleAssignment',
    values: { username, roleCode, roleType: 'resource' },
  })),
  ...rowLevelRoles.map((roleCode) => ({
    entity: 'sec_RoleAssignment',
    values: { username, roleCode, roleType: 'row-level' },
  })),
];

const id = (kind: string, number: number): string =>
  `${kind}0000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const BRANCHES: Instances = [
  { entity: 'garage_Branch', values: { id: id('f', 1), name: 'Garage Berlin', city: 'Berlin' } },
  { entity: 'garage_Branch', values: { id: id('f', 2), name: 'Garage Madrid', city: 'Madrid' } },
];

const CUSTOMERS: Instances = [
  {
    entity: 'garage_Customer',
    values: {
      id: id('a', 1),
      name: 'Nora Brandt',
      email: 'nora@example.com',
      phone: '+49 30 555 0101',
      address: { street: 'Lindenweg 4', zip: '10115', city: 'Berlin' },
    },
  },
  {
    entity: 'garage_Customer',
    values: { id: id('a', 2), name: 'Ruiz Deliveries', phone: '+34 91 555 0102', address: { city: 'Madrid' } },
  },
];

const CARS: Instances = [
  {
    entity: 'garage_Car',
    values: {
      id: id('b', 1),
      plate: 'B-NB 412',
      vin: 'WVWZZZ1JZXW000001',
      make: 'Volkswagen',
      model: 'Golf',
      year: 2014,
      fuel: 'PETROL',
      mileage: 121_400,
      inspectionDue: '2026-12-01',
      equipment: ['tow bar', 'winter tyres'],
      owner: { id: id('a', 1) },
    },
  },
  {
    entity: 'garage_Car',
    values: {
      id: id('b', 2),
      plate: '4821 KLM',
      vin: 'VF1FL000012345678',
      make: 'Renault',
      model: 'Trafic',
      year: 2021,
      fuel: 'DIESEL',
      mileage: 88_050,
      inspectionDue: '2027-04-01',
      owner: { id: id('a', 2) },
    },
  },
];

const PARTS: Instances = [
  { entity: 'garage_Supplier', values: { id: id('d', 1), name: 'Brake & Co', email: 'sales@brake.example' } },
  {
    entity: 'garage_Part',
    values: { number: 'BRK-100', name: 'Brake pads', price: '48.90', stock: 12, suppliers: [{ id: id('d', 1) }] },
  },
  { entity: 'garage_Part', values: { number: 'OIL-5W30', name: 'Engine oil 5W-30, 1 l', price: '9.95', stock: 60 } },
];

const JOBS: Instances = [
  {
    entity: 'garage_Mechanic',
    values: { id: id('c', 1), name: 'Mia Kowalski', username: 'mia', hourlyRate: '62.00' },
  },
  {
    entity: 'garage_Mechanic',
    values: { id: id('c', 2), name: 'Tom Adeyemi', username: 'tom', hourlyRate: '58.50' },
  },
  {
    entity: 'garage_Job',
    values: {
      id: id('e', 1),
      number: 'J-1001',
      branch: { id: id('f', 1) },
      car: { id: id('b', 1) },
      mechanic: { id: id('c', 1) },
      status: 'IN_PROGRESS',
      receivedAt: '2026-11-20T08:15:00.000',
      mileage: 121_400,
      complaint: 'Brakes squeal',
      measurements: { brakePads: { front: 2.5, rear: 4 }, faultCodes: ['C1021'] },
      parts: [{ part: { id: 'BRK-100' }, quantity: 2, price: '48.90' }],
      labour: [{ task: 'Change brake pads', hours: '1.25', rate: '62.00' }],
    },
  },
  {
    entity: 'garage_Job',
    values: {
      id: id('e', 2),
      number: 'J-1002',
      branch: { id: id('f', 2) },
      car: { id: id('b', 2) },
      receivedAt: '2026-11-21T10:00:00.000',
      complaint: 'Oil change',
    },
  },
];

/** For development; the password of each user is the user name. */
export const DEMO_DATA: DemoData = {
  // The totals of jobs are computed by their listener.
  runListeners: true,
  instances: [
    ...BRANCHES,
    ...user('admin', ['system-full-access']),
    ...user('desk', ['rest-minimal', 'garage-desk']),
    ...user('mia', ['rest-minimal', 'garage-mechanic'], ['garage-own-jobs']),
    ...user('tom', ['rest-minimal', 'garage-mechanic'], ['garage-own-jobs']),
    ...user('lena', ['rest-minimal', 'garage-desk'], ['garage-own-branch'], id('f', 1)),
    ...user('otto', ['rest-minimal', 'garage-desk'], ['garage-chosen-branch']),
    ...user('anonymous', ['garage-catalogue']),
    ...CUSTOMERS,
    ...CARS,
    ...PARTS,
    ...JOBS,
  ],
};
