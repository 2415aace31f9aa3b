import { storableText } from '../storable-text.js';
import { verificationSteps, type StepResult, type VerificationStep } from './verification.js';

interface Entered {
  phase: VerificationStep;
  at: number;
  detail: string | null;
}

/** Measures the steps of one verification. */
export class StepClock {
  private readonly entered: Entered[] = [];

  /** @param needless the steps that this kind of server does not need: they are skipped unless they fail */
  constructor(
    private readonly needless: readonly VerificationStep[],
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Ends the present step and begins the next one. Entering the present step again changes nothing. */
  enter(phase: VerificationStep): void {
    if (this.entered.at(-1)?.phase !== phase) this.entered.push({ phase, at: this.now(), detail: null });
  }

  /** Says what the present step found. */
  found(detail: string): void {
    const present = this.entered.at(-1);
    if (present) present.detail = storableText(detail);
  }

  /**
   * Returns all steps in order. A server that is started again, to try another protocol era, passes through the same
   * steps twice: their times add up.
   * @param last how the step that was entered last ended; the others succeeded
   */
  results(last: Pick<StepResult, 'status' | 'detail'>): StepResult[] {
    const end = this.now();
    const ended = this.entered.map((one, at) => ({ ...one, ms: (this.entered[at + 1]?.at ?? end) - one.at }));
    return verificationSteps.map((phase) => {
      const parts = ended.filter((one) => one.phase === phase);
      const isLast = ended.at(-1)?.phase === phase;
      if (parts.length === 0 || (!isLast && this.needless.includes(phase))) return skipped(phase, null);
      const { status, detail } = isLast ? last : { status: 'ok' as const, detail: null };
      const found = parts.at(-1)!.detail;
      if (status === 'skipped') return skipped(phase, detail ?? found);
      const ms = Math.round(parts.reduce((sum, part) => sum + part.ms, 0));
      return { phase, status, ms, detail: detail === null ? found : storableText(detail) };
    });
  }
}

function skipped(phase: VerificationStep, detail: string | null): StepResult {
  return { phase, status: 'skipped', ms: null, detail };
}
