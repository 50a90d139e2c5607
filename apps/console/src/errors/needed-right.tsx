import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import { captionOf, type Model, useLanguage } from '../context.ts';
import { createApi } from '../model/api.ts';
import { ModelProvider } from '../model/model-provider.ts';
import type { RefusedRight } from './refused-right.ts';

interface NeededRightInfo {
  readonly isGranted: boolean;
  readonly roles: readonly string[] | null;
  readonly rowLevelRoles: readonly string[];
}

/** Which policy was missing, which roles have it as far as the user may know, and which own rules restrict it. */
export function NeededRight({ right }: { readonly right: RefusedRight }) {
  // A refusal can be the reason why there is no model.
  const model = useContext(ModelProvider);
  return model === undefined ? null : <Needed right={right} model={model} />;
}

function Needed({ right, model }: { readonly right: RefusedRight; readonly model: Model }) {
  const { text, locale } = useLanguage();
  const { data } = useQuery({
    queryKey: ['needed-right', right],
    queryFn: ({ signal }) => createApi(model).get<NeededRightInfo>('rights', '/needed', { ...right }, signal),
    retry: false,
  });
  const needed =
    'specific' in right
      ? text('refusal.specific', { policy: right.specific })
      : text('refusal.policy', {
          entity: captionOf(model, right.entityName),
          policy: `${right.action} ${right.entityName}`,
        });
  if (data === undefined)
    // The service has named the policy: without the right to use the API nothing else can be known.
    return 'specific' in right ? (
      <Text size="sm" mt={4}>
        {needed}
      </Text>
    ) : null;
  const { isGranted, roles, rowLevelRoles } = data;
  const listed = (codes: readonly string[]): string =>
    new Intl.ListFormat(locale, { type: 'disjunction' }).format(codes);
  return (
    <>
      {!isGranted && (
        <Text size="sm" mt={4}>
          {needed}{' '}
          {roles === null || roles.length === 0
            ? text(roles === null ? 'refusal.ask' : 'refusal.noRole')
            : text('refusal.roles', { roles: listed(roles) })}
        </Text>
      )}
      {isGranted && rowLevelRoles.length > 0 && (
        <Text size="sm" mt={4}>
          {text('refusal.rules', { roles: listed(rowLevelRoles) })}
        </Text>
      )}
    </>
  );
}
