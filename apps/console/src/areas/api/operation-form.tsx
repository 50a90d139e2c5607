import { Button, FileInput, Group, NativeSelect, Stack, Textarea } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorAlert } from '../../errors/error-alert.tsx';
import { useText } from '../../language/text-provider.tsx';
import { useModel } from '../../model/model-provider.tsx';
import { CopyRequest } from '../../requests/copy-request.tsx';
import { type ApiOperation, exampleOf } from './document/api-document.ts';
import { keyOf } from './document/match-operation.ts';
import { ParameterInput } from './parameter-input.tsx';
import { missingParameters, requestOfForm } from './sending/request-of-form.ts';
import { ResponseView } from './sending/response-view.tsx';
import { sendRequest } from './sending/send-request.ts';

interface OperationFormProps {
  readonly operation: ApiOperation;
  /** Of the parameters, at first. */
  readonly values: ReadonlyMap<string, string>;
  readonly body: string | undefined;
}

const isText = (contentType: string): boolean => /json|text|xml|urlencoded/.test(contentType);

/** The parameters and the body of an operation, and the last response. */
export function OperationForm({ operation, values: first, body: firstBody }: OperationFormProps) {
  const text = useText();
  const { connection } = useModel();
  const types = Object.keys(operation.body?.content ?? {});
  const [contentType, setContentType] = useState(types[0]);
  const [values, setValues] = useState(first);
  const [body, setBody] = useState(() => firstBody ?? exampleOf(operation.body, types[0] ?? ''));
  const [file, setFile] = useState<File | null>(null);
  const [missing, setMissing] = useState<readonly string[]>([]);
  const isFile = contentType !== undefined && !isText(contentType);
  const request = requestOfForm(operation, { values, body: isFile ? '' : body, contentType });
  const send = useMutation({
    mutationFn: () => sendRequest(connection, request, isFile ? contentOf(file, contentType) : undefined),
  });
  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const found = missingParameters(operation, { values });
          setMissing(found);
          if (found.length === 0) send.mutate();
        }}
      >
        <Stack gap="sm" maw={720}>
          {operation.parameters.map((parameter) => {
            const key = keyOf(parameter.in, parameter.name);
            return (
              <ParameterInput
                key={key}
                parameter={parameter}
                value={values.get(key) ?? ''}
                error={missing.includes(key) ? text('api.missing') : undefined}
                onChange={(value) => {
                  setValues(new Map(values).set(key, value));
                  setMissing(missing.filter((each) => each !== key));
                }}
              />
            );
          })}
          {types.length > 1 && (
            <NativeSelect
              label={text('api.contentType')}
              data={types}
              value={contentType ?? ''}
              onChange={({ currentTarget }) => {
                setContentType(currentTarget.value);
                setBody(exampleOf(operation.body, currentTarget.value));
              }}
            />
          )}
          {contentType !== undefined && !isFile && (
            <Textarea
              label={text('api.body')}
              description={contentType}
              value={body}
              onChange={({ currentTarget }) => setBody(currentTarget.value)}
              rows={Math.min(20, body.split('\n').length + 1)}
              spellCheck={false}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            />
          )}
          {isFile && <FileInput label={text('api.body')} description={contentType} value={file} onChange={setFile} />}
          <Group>
            <Button type="submit" loading={send.isPending} leftSection={<IconSend size={16} />}>
              {text('api.send')}
            </Button>
            <CopyRequest request={request} />
          </Group>
        </Stack>
      </form>
      {send.error !== null && <ErrorAlert error={send.error} />}
      {send.data !== undefined && <ResponseView response={send.data} at={send.submittedAt} />}
    </>
  );
}

/** A form with the file as its part, or the file itself. */
function contentOf(file: File | null, contentType: string): Blob | FormData | undefined {
  if (file === null) return undefined;
  if (contentType !== 'multipart/form-data') return file;
  const form = new FormData();
  form.append('file', file);
  return form;
}
