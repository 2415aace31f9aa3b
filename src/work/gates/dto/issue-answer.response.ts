import { ApiProperty } from '@nestjs/swagger';
import { gateStates, type GateState } from '../../issues/status/gate-state.js';
import type { CarriedAnswer } from '../answers/gate-answers.repository.js';

/** What a person answered, or that no one did. Fields of the other kind are null. */
export class IssueAnswerResponse {
  gateId!: string;
  @ApiProperty({ enum: ['question', 'approval'] })
  kind!: 'question' | 'approval';
  @ApiProperty({ enum: gateStates, enumName: 'GateState' })
  state!: GateState;
  /** The question that was asked. */
  question!: string | null;
  option!: string | null;
  text!: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  fields!: Record<string, unknown> | null;
  /** The tool that needed an approval, or whose server asked. */
  toolName!: string | null;
  @ApiProperty({ enum: ['approve', 'deny'], nullable: true })
  decision!: 'approve' | 'deny' | null;
  note!: string | null;
  /** How the call ended that was approved, or whose server asked. */
  outcome!: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  result!: Record<string, unknown> | null;

  static from({ gateId, kind, state, request, answer, outcome, result }: CarriedAnswer): IssueAnswerResponse {
    const reply = answer && 'option' in answer ? answer : { option: null, text: null, fields: null };
    const decided = answer && 'note' in answer ? answer : { decision: 'deny' as const, note: null };
    const isApproval = kind === 'approval';
    return {
      gateId,
      kind,
      state,
      question: isApproval ? null : String(request['question']),
      option: reply.option,
      text: reply.text,
      fields: reply.fields,
      toolName: typeof request['toolName'] === 'string' ? request['toolName'] : null,
      decision: isApproval ? decided.decision : null,
      note: decided.note,
      outcome,
      result: (result as Record<string, unknown> | null) ?? null,
    };
  }
}
