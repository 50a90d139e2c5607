import { predefinedQuery } from '@lintel/application';

/** `GET /rest/queries/garage_Car/inspectionsDue?until=2026-12-31`: whom to write to. */
export const inspectionsDue = predefinedQuery('garage_Car', 'inspectionsDue', {
  text: 'select c from garage_Car c where c.inspectionDue <= :until order by c.inspectionDue, c.plate',
  fetchPlan: 'car-with-owner',
  parameters: { until: 'localDate' },
});

/** `GET /rest/queries/garage_Car/inspectionsOverdue`: cars that may not be driven. */
export const inspectionsOverdue = predefinedQuery('garage_Car', 'inspectionsOverdue', {
  text: 'select c from garage_Car c where c.inspectionDue < current_date order by c.inspectionDue, c.plate',
  fetchPlan: 'car-with-owner',
});
