rule our_secret_project {
  meta:
    id = "our-secret-project"
    name = "Word of a secret project"
    description = "The file names a project that must not leave the house."
    level = "suspicious"
    score = 40
  strings:
    $word = "Project Heron" nocase
  condition:
    $word
}
