import { Anchor, Badge, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useLanguage } from '../../../language/text-provider.tsx';
import { formatSize } from '../../files/format-size.ts';
import { indentJson } from './indent-json.ts';
import type { ReceivedResponse } from './send-request.ts';

/** Characters that are shown: a browser lays out more of them slowly. */
const MAX_SHOWN = 200_000;
const FIRST_ERROR = 400;

interface ResponseViewProps {
  readonly response: ReceivedResponse;
  /** Distinguishes responses. */
  readonly at: number;
}

/** A response with its status, its time, its headers and its body. */
export function ResponseView({ response, at }: ResponseViewProps) {
  const { text, locale } = useLanguage();
  const { status, statusText, headers, body, milliseconds } = response;
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  return (
    <Stack gap="xs" component="section" aria-label={text('api.response')}>
      <Title order={2} size="h4">
        {text('api.response')}
      </Title>
      <Group gap="xs" role="status">
        <Badge variant={status < FIRST_ERROR ? 'default' : 'filled'} color="red" tt="none">
          {`${status} ${statusText}`.trim()}
        </Badge>
        <Text size="sm">
          {text('api.time', { count: milliseconds })} · {formatSize(body.size, locale)}
        </Text>
      </Group>
      <details>
        <summary>{text('api.headers')}</summary>
        <Code block tabIndex={0} role="region" aria-label={text('api.headers')}>
          {headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
        </Code>
      </details>
      {body.size === 0 ? <Text size="sm">{text('api.noBody')}</Text> : <Body key={at} body={body} type={type} />}
    </Stack>
  );
}

function Body({ body, type }: { readonly body: Blob; readonly type: string }) {
  const { text } = useLanguage();
  const url = useMemo(() => URL.createObjectURL(body), [body]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  const isText = /json|text|xml|yaml|csv/.test(type);
  const { data } = useQuery({
    queryKey: ['body-of-response', url],
    queryFn: async () => {
      const content = await body.text();
      return /json/.test(type) ? indentJson(content) : content;
    },
    enabled: isText,
    gcTime: 0,
  });
  if (!isText)
    return (
      <Anchor href={url} download="response">
        {text('api.save', { type })}
      </Anchor>
    );
  return (
    <Code block tabIndex={0} role="region" aria-label={text('api.body')} mah="70vh" style={{ overflow: 'auto' }}>
      {(data ?? '').slice(0, MAX_SHOWN)}
    </Code>
  );
}
