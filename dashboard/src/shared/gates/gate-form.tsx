import { useQuery } from '@tanstack/react-query';
import type { AttentionItem, Gate } from '../../api/types';
import { MarkedText } from '../../parts/marked-text';
import { ProblemNotice } from '../../parts/notice';
import { Skeleton } from '../../parts/skeleton';
import { useMe } from '../../session/me';
import { hasRole } from '../../session/roles';
import { ApprovalForm } from './approval-form';
import { BudgetForm } from './budget-form';
import styles from './gates.module.css';
import { gateQuery } from './queries';
import { QuestionForm } from './question-form';
import { ServerQuestionForm } from './server-question-form';

const forms = { question: QuestionForm, approval: ApprovalForm, budget: BudgetForm };

interface GateFormProps {
  item: AttentionItem;
  gateId: string;
  /** What stands above the form already, so that it is not said twice. */
  said?: string | null;
}

/** What was asked in full, and the answers that this person may give. */
export function GateForm({ item, gateId, said = null }: GateFormProps) {
  const gate = useQuery(gateQuery(gateId));
  const me = useMe();
  if (gate.isLoadingError) return <ProblemNotice title="The question cannot be shown" error={gate.error} />;
  if (!gate.data) return <Skeleton rows={2} />;
  const calls = [item.action, ...item.alternatives].filter((call) => call !== null);
  const Form = 'schema' in gate.data.request ? ServerQuestionForm : forms[gate.data.kind];
  // A question without options has no call that the service could offer, and is answered in one's own words.
  const isOpen = gate.data.kind === 'question' && gate.data.options.length === 0;
  const mayAnswer = calls.length > 0 || (isOpen && hasRole(me, item.needsRole));
  return (
    <div className={styles.gate}>
      {gate.data.detail !== null && gate.data.detail !== said && <MarkedText text={gate.data.detail} />}
      <Arguments of={gate.data} />
      {mayAnswer ? (
        <Form gate={gate.data} calls={calls} />
      ) : (
        <p className="soft">This needs the role {item.needsRole} or above.</p>
      )}
    </div>
  );
}

/** The arguments of a call that waits; credentials and invisible characters are masked by the service. */
function Arguments({ of: { kind, request } }: { of: Gate }) {
  if (kind !== 'approval') return null;
  const { arguments: given, argumentsText: written } = request;
  if (given === undefined || given === null)
    return <p className="soft">Its arguments are not shown to you.</p>;
  return (
    <pre className={styles.given} tabIndex={0} role="region" aria-label="Arguments of the call">
      {/* The browser has rounded the numbers of which the service sends the text as well. */}
      <MarkedText text={typeof written === 'string' ? written : JSON.stringify(given, null, 2)} />
    </pre>
  );
}
