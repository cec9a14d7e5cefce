plugin "terraform" {
  enabled = true
}

rule "terraform_documented_variables" {
  enabled = true
}

rule "terraform_required_version" {
  enabled = true
}
