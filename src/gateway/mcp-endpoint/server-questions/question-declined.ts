/** A question of a server that is not asked. The message is the end of a sentence that begins with "because". */
export class QuestionDeclined extends Error {}
