import { enumeration } from '@lintel/metadata';

/** The steps of a job, in their order. */
export const JobStatus = enumeration('garage.JobStatus', { RECEIVED: 10, IN_PROGRESS: 20, DONE: 30, INVOICED: 40 });
