import type { ConsoleHost } from '@lintel/react/console';
import { daysSince } from './days-since.ts';

/** The jobs that are not done, the oldest first; follows what others change. */
export const createWorkshopPage = ({ React, lintel, components, useConsole }: ConsoleHost) =>
  function WorkshopPage() {
    const { locale } = useConsole();
    const title = locale.startsWith('de') ? 'Werkstatt' : 'Workshop';
    const { items, error, hasNext, hasPrevious, next, previous, reload } = lintel.useEntityPages('garage_Job', {
      fetchPlan: { number: true, receivedAt: true, complaint: true, car: true, mechanic: true },
      filter: (job, { oneOf }) => oneOf(job.status, ['RECEIVED', 'IN_PROGRESS']),
      sort: 'receivedAt',
      limit: 20,
    });
    lintel.useLiveEntity('garage_Job');
    if (error !== null) return <components.ErrorNotice error={error} onRetry={reload} />;
    if (items === undefined) return <components.Waiting />;
    return (
      <components.Page title={title}>
        {items.length === 0 && <p>All jobs are done.</p>}
        <components.Table
          label={title}
          columns={['Job', 'Car', 'Complaint', 'Mechanic', 'Days']}
          rows={items.map(({ id, number, car, complaint, mechanic, receivedAt }) => ({
            key: String(id),
            cells: [
              <components.Link key="job" to={`/data/garage_Job/${id}`}>
                {number}
              </components.Link>,
              car?._instanceName,
              complaint,
              mechanic?._instanceName ?? '–',
              daysSince(receivedAt),
            ],
          }))}
        />
        {hasPrevious && <components.Button onClick={previous}>Previous</components.Button>}
        {hasNext && <components.Button onClick={next}>Next</components.Button>}
      </components.Page>
    );
  };
