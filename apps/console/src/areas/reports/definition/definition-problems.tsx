import { List, Text } from '@mantine/core';
import { useModel, useText } from '../../../context.ts';
import '@mantine/core/styles/List.css';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { StoredReport, StoredTemplate } from '../stored/stored-report.ts';

const CHECK_AFTER_MS = 400;
/** Templates of one check. */
const MAX_TEMPLATES = 20;

interface Problem {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly template?: string;
  readonly location?: string;
}

/** Screens of the reference draw the other templates. */
const isDocument = ({ reportOutputType }: StoredTemplate, index: number): boolean =>
  index < MAX_TEMPLATES && !['CHART', 'TABLE', 'PIVOT_TABLE'].includes(reportOutputType);

const toChecked = ({ code, name, content, reportOutputType: outputType }: StoredTemplate) => ({
  code,
  name,
  content,
  outputType,
});

/** What a run would refuse in a definition; the server checks it while it is written. */
export function DefinitionProblems({
  definition,
  templates,
}: Required<Pick<StoredReport, 'definition' | 'templates'>>) {
  const text = useText();
  const { connection } = useModel();
  const [checked] = useDebouncedValue(definition, CHECK_AFTER_MS);
  const { data } = useQuery({
    queryKey: ['definition-check', checked, templates],
    queryFn: async ({ signal }) => {
      const call = { method: 'POST', path: '/rest/reports/definition/check', repeatable: true, signal };
      return (
        await connection.read({
          ...call,
          json: { definition: checked, templates: templates.filter(isDocument).map(toChecked) },
        })
      ).body as {
        readonly problems: readonly Problem[];
      };
    },
    placeholderData: keepPreviousData,
  });
  if (data === undefined) return null;
  if (data.problems.length === 0)
    return (
      <Text size="sm" role="status">
        {text('definition.noProblem')}
      </Text>
    );
  return (
    <div role="status">
      <Text size="sm" fw={500}>
        {text('definition.problems', { count: data.problems.length })}
      </Text>
      <List size="sm">
        {data.problems.map(({ severity, ...problem }) => {
          const line = [problem.template, problem.location, problem.message].filter(Boolean).join(': ');
          return (
            <List.Item key={line} {...(severity === 'error' && { fw: 500 })}>
              {line}
            </List.Item>
          );
        })}
      </List>
    </div>
  );
}
