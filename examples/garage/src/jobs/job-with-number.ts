import { predefinedQuery } from '@lintel/application';

/** `GET /rest/queries/garage_Job/withNumber?number=J-1001`: the whole job sheet. */
export const jobWithNumber = predefinedQuery('garage_Job', 'withNumber', {
  text: 'select j from garage_Job j where j.number = :number',
  fetchPlan: 'job-sheet',
  parameters: { number: 'string' },
});
