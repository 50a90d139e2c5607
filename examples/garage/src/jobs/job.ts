import {
  compositionOfMany,
  decimal,
  enumOf,
  integer,
  json,
  localDateTime,
  standardEntity,
  string,
  text,
  toOne,
  toOneInverse,
} from '@lintel/metadata';
import { JobStatus } from './job-status.ts';
import { MEASUREMENTS } from './measurements.ts';

/** The work on one car, from its reception to the invoice. */
export const Job = standardEntity('garage_Job', {
  attributes: {
    number: string(20).mandatory().unique(),
    status: enumOf(JobStatus).mandatory().default('RECEIVED'),
    car: toOne('garage_Car').mandatory().onTargetDelete('DENY'),
    branch: toOne('garage_Branch').onTargetDelete('DENY'),
    mechanic: toOne('garage_Mechanic'),
    receivedAt: localDateTime().mandatory(),
    mileage: integer().min(0),
    complaint: text().mandatory(),
    measurements: json({ schema: MEASUREMENTS }),
    parts: compositionOfMany('garage_JobPart', 'job'),
    labour: compositionOfMany('garage_Labour', 'job'),
    // Computed by the listener in job-total.ts.
    total: decimal(12, 2).readOnly(),
    invoice: toOneInverse('garage_Invoice', 'job'),
  },
  instanceName: ['number'],
  rules: [
    {
      message: '{msg://garage/finishedJobNeedsMechanic}',
      dependsOn: ['status', 'mechanic'],
      test: ({ status, mechanic }) => (status !== 'DONE' && status !== 'INVOICED') || mechanic != null,
    },
  ],
  indexes: [{ attributes: ['status', 'receivedAt'], unique: false }],
});

/** A part that was built in, at the price of that day. */
export const JobPart = standardEntity('garage_JobPart', {
  attributes: {
    job: toOne('garage_Job').mandatory(),
    part: toOne('garage_Part').mandatory().onTargetDelete('DENY'),
    quantity: integer().mandatory().positive(),
    price: decimal(10, 2).min(0),
  },
  instanceName: ['part'],
});

export const Labour = standardEntity('garage_Labour', {
  attributes: {
    job: toOne('garage_Job').mandatory(),
    task: string(200).mandatory(),
    hours: decimal(6, 2).mandatory().positive(),
    rate: decimal(10, 2).mandatory().min(0),
  },
  instanceName: ['task'],
});

/** A mechanic of a branch. `username` is the account that sees the mechanic's jobs. */
export const Mechanic = standardEntity('garage_Mechanic', {
  attributes: {
    name: string(100).mandatory(),
    username: string(255).unique(),
    hourlyRate: decimal(10, 2).mandatory().min(0),
  },
  instanceName: ['name'],
});

/** One invoice for each job: the reference is unique, so it is a 1:1 association. */
export const Invoice = standardEntity('garage_Invoice', {
  attributes: {
    number: string(20).mandatory().unique(),
    job: toOne('garage_Job').mandatory().unique().onTargetDelete('DENY'),
    issuedAt: localDateTime().mandatory(),
    amount: decimal(12, 2).mandatory(),
  },
  instanceName: ['number'],
});
