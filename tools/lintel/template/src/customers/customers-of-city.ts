import { predefinedQuery } from '@lintel/application';

/** `GET /rest/queries/sample_Customer/ofCity?city=Berlin` */
export const customersOfCity = predefinedQuery('sample_Customer', 'ofCity', {
  text: 'select c from sample_Customer c where c.city = :city order by c.name',
  fetchPlan: '_local',
  parameters: { city: 'string' },
});
