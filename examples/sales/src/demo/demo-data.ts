import type { DemoData } from '@lintel/application';
import { demoCatalogue } from './catalogue.ts';
import { demoLoyalty } from './loyalty.ts';
import { demoCustomers, demoOrders } from './orders.ts';
import { demoUsers } from './users.ts';
import { demoWarehouse } from './warehouse.ts';

const createInstances = (): DemoData['instances'] => [
  ...demoLoyalty(),
  ...demoUsers(),
  ...demoCatalogue(),
  ...demoCustomers(),
  ...demoOrders(),
  ...demoWarehouse(),
];

let instances: DemoData['instances'] | undefined;

/** Users with known passwords and data to look at; never loaded outside demo mode. Created when it is first read. */
export const DEMO_DATA: DemoData = {
  get instances() {
    instances ??= createInstances();
    return instances;
  },
};
