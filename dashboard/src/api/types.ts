import type { components, paths } from '../../../client/schema';

/** Every route of the service with its parameters, bodies and responses, generated from docs/openapi.json. */
export type { paths };

type Schemas = components['schemas'];

export type Issue = Schemas['IssueResponse'];
export type ListedIssue = Schemas['ListedIssueResponse'];
export type IssueStatus = Schemas['Status'];
export type Priority = Schemas['Priority'];
export type Why = Schemas['WhyResponse'];
export type Graph = Schemas['GraphResponse'];
export type GraphNode = Schemas['GraphNodeResponse'];
export type Person = Schemas['PersonResponse'];
export type Explanation = Schemas['ExplainResponse'];
export type ExplainReason = Schemas['ExplainReason'];
export type Assignee = Schemas['AssigneeResponse'];
export type Comment = Schemas['CommentResponse'];
export type Activity = Schemas['ActivityResponse'];
export type Attachment = Schemas['AttachmentResponse'];
export type Link = Schemas['LinkResponse'];
export type Project = Schemas['ProjectResponse'];
export type Goal = Schemas['GoalResponse'];
export type Agent = Schemas['AgentResponse'];
export type Role = Schemas['Role'];
export type Me = Schemas['MeResponse'];
export type Server = Schemas['InstalledServerResponse'];
export type ServerStatus = Server['status'];
export type UpgradedServer = Schemas['UpgradedServerResponse'];
export type Verification = Schemas['VerificationResponse'];
export type ServerTool = Schemas['ServerToolResponse'];
export type ServerLogLine = Schemas['LogLineResponse'];
export type CatalogEntry = Schemas['CatalogEntryResponse'];
export type CatalogEntryDetail = Schemas['CatalogEntryDetailResponse'];
export type Variable = Schemas['EnvironmentVariableResponse'];
export type AccessMatrix = Schemas['AccessMatrixResponse'];
export type ProblemDetails = Schemas['Problem'];
export type ApiKey = Schemas['ApiKeyResponse'];
export type NewApiKey = Schemas['NewApiKeyResponse'];
export type NewAgent = Schemas['NewAgentResponse'];
export type AgentTool = Schemas['AgentToolResponse'];
export type Halt = Schemas['HaltResponse'];
export type AuditEntry = Schemas['AuditEntryResponse'];
export type EventType = Schemas['EventType'];
export type User = Schemas['UserResponse'];
export type Webhook = Schemas['WebhookResponse'];
export type NewWebhook = Schemas['WebhookWithSecretResponse'];
export type Delivery = Schemas['DeliveryResponse'];
