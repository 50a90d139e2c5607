import { defineApplication } from '@lintel/application';
import { toOne } from '@lintel/metadata';
import { Branch } from './branches/branch.ts';
import { branchService } from './branches/branch-service.ts';
import { Car } from './cars/car.ts';
import { announceCarReady, carReady } from './cars/car-ready.ts';
import { Fuel } from './cars/fuel.ts';
import { inspectionReminder, inspectionReminders } from './cars/inspection-reminders.ts';
import { inspectionsDue, inspectionsOverdue } from './cars/inspections-due.ts';
import { Address, Customer } from './customers/customer.ts';
import { DEMO_DATA } from './demo/demo-data.ts';
import { Invoice, Job, JobPart, Labour, Mechanic } from './jobs/job.ts';
import { jobService } from './jobs/job-service.ts';
import { JobStatus } from './jobs/job-status.ts';
import { JOB_TOTAL } from './jobs/job-total.ts';
import { jobWithNumber } from './jobs/job-with-number.ts';
import { PART_PRICES } from './jobs/part-prices.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { Part, Supplier } from './parts/part.ts';
import { reportDelivery } from './reports/report-delivery.ts';
import { TURNOVER } from './reports/turnover.ts';
import { ROLES, ROW_LEVEL_ROLES } from './roles/roles.ts';

/** A garage: customers bring cars, mechanics work on them, and every job becomes an invoice. */
export default defineApplication({
  id: 'garage',
  name: 'Garage',
  entities: [Branch, Customer, Address, Car, Part, Supplier, Mechanic, Job, JobPart, Labour, Invoice],
  enums: [Fuel, JobStatus],
  userAttributes: { branch: toOne('garage_Branch') },
  sessionAttributes: { branch: 'uuid' },
  roles: ROLES,
  rowLevelRoles: ROW_LEVEL_ROLES,
  queries: [inspectionsDue, inspectionsOverdue, jobWithNumber],
  services: [jobService, branchService],
  listeners: [PART_PRICES, JOB_TOTAL],
  jobs: [inspectionReminders],
  mails: [inspectionReminder, reportDelivery],
  events: [carReady],
  eventHandlers: [announceCarReady],
  reports: [TURNOVER],
  migrations: MIGRATIONS,
  demoData: DEMO_DATA,
  resources: new URL('../resources/', import.meta.url),
  properties: {
    'svc.core.available-locales': 'en,de',
    // Built from the folder console.
    'svc.console.extension': '../dist/console',
    'svc.core.fetch-plans-config': 'fetch-plans.xml',
    'svc.rest.anonymous-url-patterns': '/rest/entities/garage_Part,/rest/entities/garage_Part/*',
    // For development. In production set the secret by SVC_AUTHSERVER_CLIENT_WEB_CLIENT_SECRET.
    'svc.authserver.client.web.client-id': 'web',
    'svc.authserver.client.web.client-secret': 'secret',
    'svc.authserver.client.web.grant-types': 'password,refresh_token',
  },
});
