import type { ReportInfo } from '@lintel/client';
import { Fieldset, Select, Stack } from '@mantine/core';
import { useText } from '../../../context.ts';
import { parameterErrors } from '../../../errors/parameter-of-error.ts';
import { ParameterField } from './parameter-field.tsx';
import type { RunFieldsState } from './use-run-fields.ts';

interface RunFieldsProps {
  readonly report: ReportInfo;
  readonly fields: RunFieldsState;
  /** Of the last run: what it says about a parameter is shown at its field. */
  readonly failure: Error | null;
}

/** The fields of a run: the parameters of the report, and its template if it has several. */
export function RunFields({ report, fields, failure }: RunFieldsProps) {
  const text = useText();
  const { values, setValue, template, setTemplate } = fields;
  const { inputParameters = [], templates = [] } = report;
  const shown = inputParameters.filter(({ hidden }) => !hidden);
  const mistakes = parameterErrors(
    failure,
    shown.map(({ alias }) => alias),
  );
  return (
    <>
      {shown.length > 0 && (
        <Fieldset legend={text('run.parameters')}>
          <Stack gap="sm">
            {shown.map((parameter) => (
              <ParameterField
                key={parameter.alias}
                parameter={parameter}
                value={values[parameter.alias]}
                error={mistakes.get(parameter.alias)}
                onChange={(value) => setValue(parameter.alias, value)}
              />
            ))}
          </Stack>
        </Fieldset>
      )}
      {templates.length > 1 && (
        <Select
          label={text('run.template')}
          data={templates.map(({ code, outputType }) => ({ value: code, label: `${code} (${outputType})` }))}
          value={template ?? templates.find((each) => each.default)?.code ?? null}
          onChange={setTemplate}
        />
      )}
    </>
  );
}
